// The ways to start on the home page lead to a part of the form. The editor is a view of its own, see editor/view.js.

document.addEventListener("click", (event) => {
  const door = event.target.closest(".door");
  if (!door || door.hash === "#editor") return;
  event.preventDefault();
  const goal = document.querySelector(door.hash);
  goal.scrollIntoView({ block: "start" });
  (goal.matches("textarea") ? goal : goal.querySelector("button")).focus({ preventScroll: true });
});
