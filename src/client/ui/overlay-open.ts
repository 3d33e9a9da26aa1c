const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'
/** Lists of choices stay in the page while closed. */
const closed = '[hidden], [data-hidden], [style*="display: none"]'

/** Whether keys are meant for a dialog, menu or list of choices above the page. */
export const isOverlayOpen = (): boolean =>
  [...document.querySelectorAll(overlays)].some((overlay) => overlay.closest(closed) === null)

let wasOpen = false
// Heard first, because the overlay may be gone when the page hears the key.
addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Escape') wasOpen = isOverlayOpen()
  },
  { capture: true },
)

export const wasEscapeForOverlay = (): boolean => wasOpen
