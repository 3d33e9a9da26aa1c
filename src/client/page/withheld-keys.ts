const withheld = new Set<string>()

addEventListener(
  'keyup',
  (event) => {
    if (!withheld.delete(event.key)) return
    event.preventDefault()
    event.stopPropagation()
  },
  { capture: true },
)

/** Keeps a key from acting where it was typed, its release included: Space presses a button when it comes up. */
export function withhold(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
  withheld.add(event.key)
}
