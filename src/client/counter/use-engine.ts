import { shallowEqual } from '@mantine/hooks'
import { useLayoutEffect, useState } from 'react'

type Tools<State, Happening, Effect> = {
  /** With what is known at this moment. */
  advance: (state: State, happening: Happening) => { state: State; effects: readonly Effect[] }
  carryOut: (effect: Effect, happen: (happening: Happening) => void) => void
}

/**
 * A pure engine for as long as its screen stands, with the tools of the last drawing. `view` picks what the screen draws:
 * nothing else of the state draws it anew. `happen` is the same function at each drawing, and `read` the state as it is by now.
 */
export function useEngine<State, View extends object, Happening, Effect>(
  first: State,
  view: (state: State) => View,
  tools: Tools<State, Happening, Effect>,
) {
  const [shown, setShown] = useState(() => view(first))
  const [engine] = useState(() => {
    let state = first
    let current = tools
    const happen = (happening: Happening): void => {
      const { state: next, effects } = current.advance(state, happening)
      state = next
      setShown((before) => {
        const after = view(next)
        return shallowEqual(before, after) ? before : after
      })
      for (const effect of effects) current.carryOut(effect, happen)
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
