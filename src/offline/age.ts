const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A short duration: minutes up to two hours, hours up to two days, then days (« 12 min », « 2 j »). */
export function shortAge(ms: number): string {
  if (ms < 2 * hourMs) return `${Math.max(0, Math.floor(ms / minuteMs))}\u00a0min`
  return ms < 2 * dayMs ? `${Math.floor(ms / hourMs)}\u00a0h` : `${Math.floor(ms / dayMs)}\u00a0j`
}
