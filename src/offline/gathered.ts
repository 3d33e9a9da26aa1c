/** A queue that leaves after a cut announces two changes for each action. */
const pauseMs = 60
/** Pauses in proportion, so that long work leaves time for everything else. */
const pausesPerRun = 8
const longestPauseMs = 500

/** Runs `work` one at a time; a call meanwhile makes it run once more, after a pause. */
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
