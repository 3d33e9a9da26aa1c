import { Combobox, Text } from '@mantine/core'

import { fullName, ofName } from '../../domain/person-names.ts'
import type { Reader } from '../beneficiaries/beneficiary-data.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import found from '../ui/search-picker.module.css'
import type { LaneReader } from './lane.ts'
import { inWords } from '../page/house-words.ts'

type Answers = { readers: readonly Reader[] | undefined; copies: readonly CounterCopy[] | undefined }

/** Tells a copy's option from a reader's. */
const copyOption = 'copy '

export function optionFor(
  value: string,
  { readers, copies }: Answers,
): { copy: CounterCopy | null; reader: LaneReader | null } {
  const copy = copies?.find(({ bar_code }) => `${copyOption}${bar_code}` === value) ?? null
  const [id, relative] = value.split('/').map(Number)
  const reader = copy ? undefined : readers?.find((one) => one.id === id)
  return { copy, reader: reader ? { reader, relative: relative ?? null } : null }
}

type ScanOptionsProps = Answers & { isRelativeSearch: boolean; isHidden: boolean; none: string | null }

export function ScanOptions({ readers, copies, isRelativeSearch, isHidden, none }: ScanOptionsProps) {
  return (
    <Combobox.Dropdown hidden={isHidden} data-scanning>
      <Combobox.Options
        className={found['options'] ?? ''}
        aria-label={inWords('Lecteurs et exemplaires trouvés')}
      >
        {(readers ?? []).flatMap((reader) => [
          <Combobox.Option key={reader.id} value={String(reader.id)} mih="2.75rem">
            <Text span>{reader.label}</Text>
            {reader.is_active ? null : (
              <Text component="div" size="sm" c="dimmed">
                Inscription terminée
              </Text>
            )}
          </Combobox.Option>,
          ...(isRelativeSearch ? reader.relatives : []).map((relative) => (
            <Combobox.Option
              key={`${reader.id}/${relative.id}`}
              value={`${reader.id}/${relative.id}`}
              mih="2.75rem"
            >
              <Text span>{relative.name}</Text>
              <Text component="div" size="sm" c="dimmed">
                {inWords('Proche ')}
                {ofName(fullName(reader))}
              </Text>
            </Combobox.Option>
          )),
        ])}
        {(copies ?? []).map((copy) => (
          <Combobox.Option key={copy.bar_code} value={`${copyOption}${copy.bar_code}`} mih="2.75rem">
            <Text span>{copy.name}</Text>
            <Text component="div" size="sm" c="dimmed">
              {[copy.bar_code, copy.status, copy.holder?.beneficiary_name].filter(Boolean).join(' · ')}
            </Text>
          </Combobox.Option>
        ))}
        {none === null ? null : <Combobox.Empty>{none}</Combobox.Empty>}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}
