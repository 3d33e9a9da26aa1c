const longestWaitMs = 2000

/** Known by then or not, whoever waits for it waits no longer than that. */
export const knownSoon = (asked: Promise<unknown>): Promise<unknown> =>
  Promise.race([asked, new Promise((resolve) => setTimeout(resolve, longestWaitMs))])
