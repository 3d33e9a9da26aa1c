// React as people have it: its development build takes twice as long for the same page.
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)
const { setImmediate, setTimeout } = globalThis

type Act = <T>(work: () => T | PromiseLike<T>) => PromiseLike<T>
type Task = { callback: unknown }
type Work = ((isLate: boolean) => unknown) | null
type Scheduler = {
  unstable_scheduleCallback(priority: number, work: Work, options?: object): Task
  unstable_cancelCallback(task: Task): void
}

/** What React has yet to do. */
const pending = new Set<Task>()

/** Call it before anything else loads React. */
export function loadShippedReact(): void {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  watch(load('scheduler') as Scheduler)
  const react = load('react') as { act?: Act }
  const { flushSync } = load('react-dom') as { flushSync(work: () => void): void }
  load('react-dom/client')
  const { jsx } = load('react/jsx-runtime') as { jsx(type: unknown, props: unknown, key: unknown): unknown }
  // The sources of tests and screens are compiled for development.
  const compiledFor = load('react/jsx-dev-runtime') as { jsxDEV: unknown }
  compiledFor.jsxDEV = (type: unknown, props: unknown, key: unknown) => jsx(type, props, key)
  process.env['NODE_ENV'] = before

  // The shipped one has no `act`, which Testing Library asks for.
  react.act = (work) => {
    let result!: ReturnType<typeof work>
    flushSync(() => {
      result = work()
    })
    const settled = async () => {
      const value = await result
      await drawn()
      return value
    }
    // oxlint-disable-next-line unicorn/no-thenable -- who awaits it awaits what follows from it
    return { then: (...tell) => settled().then(...tell) }
  }
}

function watch(scheduler: Scheduler): void {
  const { unstable_scheduleCallback: schedule, unstable_cancelCallback: cancel } = scheduler
  scheduler.unstable_scheduleCallback = (priority, work, options) => {
    const follow =
      (step: Work): Work =>
      (isLate) => {
        const next = step?.(isLate)
        if (typeof next === 'function') return follow(next as Work)
        pending.delete(task)
        return next
      }
    const task = schedule(priority, follow(work), options)
    pending.add(task)
    return task
  }
  scheduler.unstable_cancelCallback = (task) => {
    pending.delete(task)
    cancel(task)
  }
}

const mostTurns = 200

/** Resolves once React has drawn what it was told, transitions too: nobody acts on what is not yet in sight. */
export async function drawn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0))
  for (let turn = 0; turn < mostTurns && pending.size > 0; turn += 1)
    await new Promise((resolve) => setImmediate(resolve))
}
