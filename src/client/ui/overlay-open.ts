const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'
/** Kept in the page while it is closed, as lists of choices are. */
const closed = '[hidden], [data-hidden], [style*="display: none"]'

/** Whether a dialog, a menu or a list of choices stands above the page: keys are meant for it. */
export const isOverlayOpen = (): boolean =>
  [...document.querySelectorAll(overlays)].some((overlay) => overlay.closest(closed) === null)

let wasOpen = false
// Before anything else hears the key: the overlay it is meant for may be gone when the page does.
addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Escape') wasOpen = isOverlayOpen()
  },
  { capture: true },
)

/** Whether the last Escape found an overlay to close. */
export const wasEscapeForOverlay = (): boolean => wasOpen
