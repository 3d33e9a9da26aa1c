import { useEffect, useState } from 'react'

/** Counts down from what the server said at an instant of this device, whose clock need not be right. */
export function useSecondsLeft(seconds: number, saidAt: number): number {
  const [now, setNow] = useState(() => Date.now())
  const isOver = seconds === 0
  useEffect(() => {
    setNow(Date.now())
    if (isOver) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isOver, saidAt])
  const passed = Math.max(0, Math.floor((now - saidAt) / 1000))
  return Math.max(0, seconds - passed)
}

/** `02:13` */
export const clockOf = (seconds: number): string =>
  [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':')
