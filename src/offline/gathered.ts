/** Between two runs while it is asked over and over: a queue that leaves after a cut tells two changes for each action. */
const pauseMs = 60
/** What takes long, as reading a long queue does, stays this small a part of what else is going on. */
const pausesPerRun = 8
const longestPauseMs = 500

/**
 * Runs `work` at once when asked, one at a time; what is asked meanwhile is one more run, a moment later. A run that fails is told, and
 * is the end of it until the next asking.
 */
export function gathered(work: () => Promise<void>, onTrouble?: (error: unknown) => void): () => void {
  let isAsked = false
  let isRunning = false
  const run = async () => {
    isRunning = true
    try {
      while (isAsked) {
        isAsked = false
        const began = performance.now()
        await work()
        const pause = Math.max(pauseMs, pausesPerRun * (performance.now() - began))
        if (isAsked) await new Promise((resolve) => setTimeout(resolve, Math.min(pause, longestPauseMs)))
      }
    } catch (error) {
      onTrouble?.(error)
    } finally {
      isRunning = false
    }
  }
  return () => {
    isAsked = true
    if (!isRunning) void run()
  }
}
