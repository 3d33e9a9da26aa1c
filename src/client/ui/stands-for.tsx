import { type Ref, type RefObject, useImperativeHandle } from 'react'

type StandsForProps = { node: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }

/** Where the kit wants the field or button that its list belongs to: wrapped later, once the kit has come, it would be drawn anew and lose focus and text. */
export function StandsFor({ node, ref }: StandsForProps) {
  useImperativeHandle(ref, () => node.current!, [node])
  return null
}
