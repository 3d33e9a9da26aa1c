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

/** Its release is held back too, because Space presses a button when it comes up. */
export function withhold(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
  withheld.add(event.key)
}
