// Keyboard: what each key does, wherever the focus is, unless an element needs the key itself.

export type Action = () => void;

/** Name of a key press as used in the table: "Shift+ArrowLeft", "n", "+". */
function nameOf(event: KeyboardEvent): string {
  return event.key.startsWith("Arrow") && event.shiftKey ? `Shift+${event.key}` : event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

function wantsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement && target.type === "checkbox") return key === " ";
  if (target instanceof HTMLInputElement) return false;
  return key === " " && (target instanceof HTMLButtonElement || target.tagName === "SUMMARY");
}

export function listenToKeys(actions: Record<string, Action>, blocked: () => boolean) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || blocked()) return;
    const name = nameOf(event);
    const action = actions[name];
    if (!action || wantsKey(event.target, name)) return;
    event.preventDefault();
    action();
  });
}
