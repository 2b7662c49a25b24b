// The page about formats: searches while the user types.
const search = document.getElementById("q");
const articles = [...document.querySelectorAll(".formats article")];
const texts = articles.map((article) => article.textContent.toLowerCase());

search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  articles.forEach((article, index) => {
    article.hidden = !words.every((word) => texts[index].includes(word));
    shown += !article.hidden;
  });
  document.getElementById("number").textContent = `${shown} ${shown === 1 ? "format" : "formats"}`;
});
