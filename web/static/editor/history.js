// The states of an editor, for undo and redo.

const MOST = 500;

export function makeHistory(first) {
  let past = [];
  let present = first;
  let future = [];

  return {
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
    // Replace the current state after a change that can't be undone separately.
    amend(state) {
      present = state;
    },
    add(state) {
      past = [...past, present].slice(-MOST);
      present = state;
      future = [];
    },
    undo() {
      future.push(present);
      present = past.pop();
      return present;
    },
    redo() {
      past.push(present);
      present = future.pop();
      return present;
    },
  };
}
