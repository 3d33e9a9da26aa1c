import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { membersOf } from '../../contract/list.ts'
import { translations } from '../../contract/settings.ts'
import { inSentence } from '../../domain/house-words.ts'
import { listQuery } from '../api/queries.ts'
import { sayWith } from '../page/say-with.ts'

/** Reads the library's words after sign-in and again whenever one was changed. */
export default function HouseWords() {
  const { data } = useQuery({ ...listQuery(translations.list, { limit: 100 }), staleTime: 60_000 })
  useEffect(() => {
    if (!data) return
    sayWith(
      membersOf(data)
        .filter(({ translation, delivered }) => delivered !== '' && inSentence(translation) !== delivered)
        .map(({ translation, delivered, gender }) => ({
          said: delivered,
          here: inSentence(translation),
          gender,
        })),
    )
  }, [data])
  return null
}
