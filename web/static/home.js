// The ways to start on the home page lead to a part of the form, and open it.

document.addEventListener("click", (event) => {
  const door = event.target.closest(".door");
  if (!door) return;
  const goal = document.querySelector(door.hash);
  event.preventDefault();
  if (goal instanceof HTMLDetailsElement) goal.open = true;
  goal.scrollIntoView({ block: "start" });
  const field = goal.matches("textarea, button") ? goal : goal.querySelector("[tabindex]") ?? goal.querySelector("button");
  field.focus({ preventScroll: true });
});
