import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import * as v from 'valibot'

import { sampleBarCodes } from '../../contract/site-changes.ts'
import type { LabelSymbology } from '../../domain/label-symbologies.ts'
import type { Site } from '../../contract/sites.ts'
import { call } from '../api/call.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { useFlagParameter } from './parameter-data.ts'

type NextCodesProps = {
  siteCode: string
  firstValue: string
  symbology?: LabelSymbology | undefined
  site: Pick<Site, 'id'> | null
}

/** What the numbering as it is typed would give, past the codes that are already on copies. */
export function NextCodes({ siteCode, firstValue, symbology, site }: NextCodesProps) {
  const isOn = useFlagParameter('barCodesIncrement')
  const asked = useDebounced(
    JSON.stringify({ siteCode, firstValue, symbology, ...(site ? { site: String(site.id) } : {}) }),
    300,
  )
  const query = JSON.parse(asked) as {
    siteCode: string
    firstValue: string
    symbology?: LabelSymbology
    site?: string
  }
  const isWritten = v.is(sampleBarCodes.query, query)
  const { data } = useQuery({
    queryKey: ['sites', 'sample', asked],
    queryFn: ({ signal }) => call(sampleBarCodes, { query, signal }),
    enabled: isWritten && isOn !== false,
    placeholderData: (before) => before,
  })
  const [first, ...rest] = isWritten ? (data?.bar_codes ?? []) : []
  return (
    <Text role="status" mih="3em">
      {isOn === false
        ? 'La numérotation est désactivée dans les paramètres\u202f: les codes s’écrivent à la main.'
        : first === undefined
          ? null
          : `Prochains codes\u202f: ${[first, ...rest].join(', ')}…`}
    </Text>
  )
}
