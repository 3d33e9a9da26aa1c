import { shallowEqual } from '@mantine/hooks'
import { useLayoutEffect, useState } from 'react'

import { CallError } from '../api/call-error.ts'
import { sentenceOf } from '../loans/loan-errors.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'

/** An engine asks the device, the server or a person something, or tells how a scan ended; `hasLine` where a line says that as well. */
export type EngineEffect<Ask> =
  { do: 'ask'; ask: Ask } | { do: 'tell'; signal: ScanSignal; text: string; hasLine: boolean }

/** Why an ask has no answer; `is_network` where nothing came back at all. */
export type Trouble<Ask> = { what: 'trouble'; ask: Ask; message: string; is_network: boolean }

type Tools<State, Happening, Ask> = {
  /** With what is known at this moment. */
  advance: (
    state: State,
    happening: Happening | Trouble<Ask>,
  ) => { state: State; effects: readonly EngineEffect<Ask>[] }
  /** Resolves to the happening that answers. */
  answer: (ask: Ask) => Promise<Happening | Trouble<Ask>>
  tell: Tell
}

export type Tell = (signal: ScanSignal, text: string, hasLine?: boolean) => void

/** In milliseconds: what is answered sooner is over before anybody could read that it waits. */
const longestGlance = 600

/**
 * A pure engine for as long as its screen stands, with the tools of the last drawing. `view` picks what the screen draws:
 * nothing else of the state draws it anew; `isSlow` while an answer is long in coming. `happen` is the same function at each
 * drawing, and `read` the state as it is by now.
 */
export function useEngine<State, View extends object, Happening, Ask>(
  first: State,
  view: (state: State, isSlow: boolean) => View,
  tools: Tools<State, Happening, Ask>,
) {
  const [shown, setShown] = useState(() => view(first, false))
  const [engine] = useState(() => {
    let state = first
    let current = tools
    let asks = 0
    let isSlow = false
    const draw = (): void =>
      setShown((before) => {
        const after = view(state, isSlow)
        return shallowEqual(before, after) ? before : after
      })
    const happen = (happening: Happening | Trouble<Ask>): void => {
      const { state: next, effects } = current.advance(state, happening)
      state = next
      draw()
      for (const effect of effects) {
        if (effect.do === 'tell') current.tell(effect.signal, effect.text, effect.hasLine)
        else void ask(effect.ask)
      }
    }
    /** Ends the turn that asked, whatever fails. */
    const ask = (asked: Ask): Promise<void> => {
      asks += 1
      const late = setTimeout(() => {
        isSlow = true
        draw()
      }, longestGlance)
      return current
        .answer(asked)
        .finally(() => {
          clearTimeout(late)
          asks -= 1
        })
        .then(happen)
        .catch((error: unknown) =>
          happen({
            what: 'trouble',
            ask: asked,
            message: sentenceOf(error),
            is_network: error instanceof CallError && error.isNoNetwork,
          }),
        )
        .finally(() => {
          // The next turn has asked by now: what waits stays in sight from one to the next.
          if (asks > 0 || !isSlow) return
          isSlow = false
          draw()
        })
    }
    return {
      happen,
      read: () => state,
      equip: (next: typeof tools) => {
        current = next
      },
    }
  })
  useLayoutEffect(() => engine.equip(tools))
  return { shown, happen: engine.happen, read: engine.read }
}
