const againAfterMs = 300

type Patience = {
  /** How long an answer may take to begin, with what is asked again. */
  mostMs: number
  /** Whether it is asked once more where nobody answered, or the server cannot for now. */
  isAskedAgain: boolean
  signal?: AbortSignal | undefined
}

/** Asks the server; an answer that refuses is an answer. */
export async function ask(address: string, init: RequestInit, patience: Patience): Promise<Response> {
  const { mostMs, isAskedAgain, signal } = patience
  const over = new AbortController()
  const giveUp = () => over.abort(signal?.reason)
  if (signal?.aborted) giveUp()
  signal?.addEventListener('abort', giveUp, { once: true })
  const timer = setTimeout(() => over.abort(), mostMs)
  const once = () => fetch(address, { ...init, signal: over.signal })
  try {
    if (!isAskedAgain) return await once()
    const first = await once().catch((error: unknown) => {
      if (over.signal.aborted) throw error
      return null
    })
    if (first && first.status !== 503) return first
    await passed(Number(first?.headers.get('retry-after')) * 1000 || againAfterMs, over.signal)
    return await once()
  } finally {
    clearTimeout(timer)
  }
}

const passed = (ms: number, over: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    over.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(over.reason instanceof Error ? over.reason : new Error('given up'))
    })
  })
