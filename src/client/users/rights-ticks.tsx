import { Checkbox, Stack, Text } from '@mantine/core'

import type { Profile } from '../../contract/profiles.ts'
import { rightSentences } from '../../domain/right-sentences.ts'
import { keeperRights, type Right, rightCodes, rightGroups, rights } from '../../domain/rights.ts'
import { inWords } from '../page/house-words.ts'
import { FormSection } from '../ui/forms/form-page.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import styles from './permissions.module.css'

type RightsTicksProps = {
  profile: Profile
  /** The profile's rights before anything was ticked. */
  loaded: readonly Right[]
  ticked: readonly string[]
  onChange: (codes: string[]) => void
}

const groups = Object.keys(rightGroups) as (keyof typeof rightGroups)[]

/** Rights as sentences: one by one, by group, or all. */
export function RightsTicks({ profile, loaded, ticked, onChange }: RightsTicksProps) {
  const isKept = (right: Right) => profile.is_admin && keeperRights.includes(right)
  const put = (codes: readonly Right[], isOn: boolean) =>
    onChange(
      rightCodes.filter((code) => (codes.includes(code) ? isOn || isKept(code) : ticked.includes(code))),
    )
  return (
    <>
      <div className="panel">
        <TickOfSeveral label="Tous les droits" codes={rightCodes} ticked={ticked} onPut={put} />
      </div>
      {groups.map((group) => {
        const codes = rightCodes.filter((code) => rights[code] === group)
        return (
          <FormSection key={group} title={rightGroups[group]}>
            <TickOfSeveral
              label={inWords(`Tout cocher\u202f: ${rightGroups[group].toLowerCase()}`)}
              codes={codes}
              ticked={ticked}
              onPut={put}
            />
            <Stack gap={0} className={styles['rights'] ?? ''}>
              {codes.map((code) => {
                const isTicked = ticked.includes(code)
                const sentence = inWords(rightSentences[code])
                return (
                  <div key={code} className={styles['right']}>
                    <Checkbox
                      size="md"
                      label={sentence}
                      description={isKept(code) ? 'Ce profil le garde toujours.' : undefined}
                      checked={isTicked}
                      disabled={isKept(code) && isTicked}
                      onChange={(event) => put([code], event.currentTarget.checked)}
                    />
                    {isTicked === loaded.includes(code) ? null : (
                      <StatusTag tone={isTicked ? 'good' : 'warn'}>
                        {isTicked ? 'Ajouté' : 'Retiré'}
                      </StatusTag>
                    )}
                  </div>
                )
              })}
            </Stack>
          </FormSection>
        )
      })}
    </>
  )
}

type TickOfSeveralProps = {
  label: string
  codes: readonly Right[]
  ticked: readonly string[]
  onPut: (codes: readonly Right[], isOn: boolean) => void
}

function TickOfSeveral({ label, codes, ticked, onPut }: TickOfSeveralProps) {
  const count = codes.filter((code) => ticked.includes(code)).length
  return (
    <div className={styles['right']}>
      <Checkbox
        size="md"
        label={label}
        checked={count === codes.length}
        indeterminate={count > 0 && count < codes.length}
        onChange={() => onPut(codes, count < codes.length)}
      />
      <Text span c="dimmed" className={styles['count'] ?? ''}>
        {count} sur {codes.length}
      </Text>
    </div>
  )
}
