import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'

import { currentSession } from '../api/session.ts'
import type { Form } from './use-fields.ts'

type Draft = { person: number; changed: Form['changed'] }

/** In memory only: it may name people, and signing in again loads no page. */
const drafts = new Map<string, Draft>()

/** Keeps what was typed when the session ends under a form, for the same person at the same address. */
export function useDraft({ changed, restore }: Pick<Form, 'changed' | 'restore'>): void {
  const { pathname } = useLocation()
  const latest = useRef(changed)
  useEffect(() => {
    latest.current = changed
  }, [changed])
  useEffect(() => {
    const person = currentSession()?.user?.id
    const draft = drafts.get(pathname)
    drafts.delete(pathname)
    if (draft && draft.person === person) restore(draft.changed)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what was typed last is what is kept
    return () => keep(pathname, person, latest.current)
    // oxlint-disable-next-line react/exhaustive-deps -- once for each form
  }, [pathname])
}

function keep(pathname: string, person: number | undefined, changed: Draft['changed']): void {
  if (person === undefined || currentSession() !== null || Object.keys(changed).length === 0) return
  drafts.set(pathname, { person, changed })
}
