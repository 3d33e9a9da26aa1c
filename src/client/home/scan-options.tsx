import { Combobox, type ComboboxStore } from '@mantine/core'
import type { RefObject } from 'react'

import { fullName } from '../../domain/person-names.ts'
import { readerWords, relativeOf } from '../beneficiaries/hit-words.ts'
import { counterCopyWords, underTitles } from '../catalogue/hit-words.ts'
import { inWords } from '../page/house-words.ts'
import { Cover, Initials } from '../ui/cover.tsx'
import found from '../ui/forms/search-picker.module.css'
import { HitLine } from '../ui/hit-line.tsx'
import { StandsFor } from '../ui/stands-for.tsx'
import { type Answers, valueOfCopy, valueOfReader, valueOfRelative } from './box-options.ts'

type ScanOptionsProps = Answers & {
  store: ComboboxStore
  field: RefObject<HTMLInputElement | null>
  onOption: (value: string) => void
  isRelativeSearch: boolean
  isHidden: boolean
  none: string | null
}

/** The readers and copies that the counter's box found, drawn as in every search. */
export default function ScanOptions({ store, field, onOption, ...of }: ScanOptionsProps) {
  const { readers, copies, isRelativeSearch, isHidden, none } = of
  const choice = found['choice'] ?? ''
  return (
    <Combobox store={store} onOptionSubmit={onOption}>
      <Combobox.DropdownTarget>
        <StandsFor node={field} />
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={isHidden} data-scanning>
        <Combobox.Options
          className={found['options'] ?? ''}
          aria-label={inWords('Lecteurs et exemplaires trouvés')}
        >
          {(readers ?? []).flatMap((reader) => [
            <Combobox.Option key={reader.id} value={valueOfReader(reader)} className={choice}>
              <HitLine
                label={fullName(reader)}
                face={<Initials name={fullName(reader)} />}
                told={readerWords(reader)}
                now={reader.is_active ? undefined : 'Inscription terminée'}
              />
            </Combobox.Option>,
            ...(isRelativeSearch ? reader.relatives : []).map((relative) => (
              <Combobox.Option
                key={valueOfRelative(reader, relative)}
                value={valueOfRelative(reader, relative)}
                className={choice}
              >
                <HitLine
                  label={relative.name}
                  face={<Initials name={relative.name} />}
                  told={relativeOf(reader)}
                />
              </Combobox.Option>
            )),
          ])}
          {underTitles(copies ?? []).map(({ copy, isUnder }) => (
            <Combobox.Option key={copy.bar_code} value={valueOfCopy(copy)} className={choice}>
              <HitLine
                label={copy.name}
                isUnder={isUnder}
                face={<Cover title={copy.name} medium={copy.medium?.name ?? null} image={copy.image_path} />}
                {...counterCopyWords(copy)}
              />
            </Combobox.Option>
          ))}
          {none === null ? null : <Combobox.Empty>{none}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
