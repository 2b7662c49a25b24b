// The link to the puzzle in the grid, which opens its page for anyone.
import { copy } from "../copy.js";

const byId = (id) => document.getElementById(id);

// `jobData` returns the fields of a job with the puzzle, and `url` is where it is created.
export function makeShare({ url, jobData }) {
  const button = byId("copy-link");
  const note = byId("link-note");
  const known = new Map(); // links by the fields of their jobs

  async function create(data) {
    const answer = await fetch(url, { method: "POST", body: data });
    const job = await answer.json();
    if (answer.status !== 202) throw new Error(job.detail);
    // Only the path, because a proxy may have changed the host.
    return `${location.origin}${new URL(job.links.page).pathname}/puzzles/1`;
  }

  function linkTo(data) {
    const key = JSON.stringify([...data]);
    if (!known.has(key)) known.set(key, create(data).catch((error) => { known.delete(key); throw error; }));
    return known.get(key);
  }

  // How long the link works.
  function lifetime() {
    const chosen = byId("expires_in");
    return chosen.value ? chosen.selectedOptions[0].textContent : button.dataset.kept;
  }

  button.addEventListener("click", async () => {
    note.textContent = "Creating the link …";
    const link = linkTo(jobData());
    try {
      const [address] = await Promise.all([link, copy(button, link)]);
      const page = Object.assign(document.createElement("a"), { href: address, textContent: "Open the puzzle’s page" });
      note.replaceChildren(`With this link, anyone can play the puzzle for ${lifetime()}. `, page);
    } catch (error) {
      note.textContent = `There is no link: ${error.message}`;
    }
  });

  return {
    // Forget the link to the previous puzzle.
    changed() { note.textContent = ""; },
  };
}
