import { type Ref, type RefObject, useImperativeHandle } from 'react'

type StandsForProps = { node: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }

/** Where the kit wants the field or button that its list belongs to, and that is drawn elsewhere, before it. */
export function StandsFor({ node, ref }: StandsForProps) {
  useImperativeHandle(ref, () => node.current!, [node])
  return null
}
