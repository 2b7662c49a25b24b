// The ways to start on the home page lead to a part of the form, and open it.

function lead(hash) {
  const goal = document.querySelector(hash);
  if (goal instanceof HTMLDetailsElement) goal.open = true;
  goal.scrollIntoView({ block: "start" });
  const field = goal.matches("textarea, button") ? goal : goal.querySelector("[tabindex]") ?? goal.querySelector("button");
  field.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const door = event.target.closest(".door");
  if (!door) return;
  event.preventDefault();
  lead(door.hash);
});
if (location.hash === "#editor") lead(location.hash);
