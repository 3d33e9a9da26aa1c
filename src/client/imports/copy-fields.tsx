import { Select, Stack, Text, Title } from '@mantine/core'

import type { Import } from '../../contract/imports.ts'
import { type CopyFrame, copyFrames } from '../../domain/copy-frames.ts'
import { isLentAs } from '../../domain/unimarc-copies.ts'
import { inWords } from '../page/house-words.ts'
import { counted } from '../ui/words.ts'
import styles from './imports.module.css'
import { useImportChange } from './use-import-change.ts'

const frameWords: Record<CopyFrame, string> = {
  '995': 'Recommandation 995',
  koha: 'Koha',
  pmb: 'PMB (995 et 996)',
}

/** Of notices: whose fields of copies these are, and which circulations are lent. */
export function CopyFields({ of }: { of: Import }) {
  const { send, isPending } = useImportChange(of)
  const found = of.opened.copies
  if (!found) return null
  const { copy_frame, lent = {} } = of.choices
  const frame = copy_frame ?? found.frame
  return (
    <section className="panel">
      <Stack>
        <div>
          <Title order={2} size="h4">
            {inWords('Exemplaires des notices')}
          </Title>
          <Text c="dimmed">
            {inWords(
              `La zone 995 ne se remplit pas partout de même. Ici, d’après ce qu’elle contient\u202f: ${frameWords[found.frame]}.`,
            )}
          </Text>
        </div>
        <Select
          className={styles['form'] ?? ''}
          label="Usage de la zone 995"
          allowDeselect={false}
          disabled={isPending}
          data={copyFrames.map((value) => ({ value, label: frameWords[value] }))}
          value={frame}
          onChange={(value) => {
            const next = copyFrames.find((one) => one === value)
            if (next && next !== frame) send({ choices: { copy_frame: next } })
          }}
        />
        <div className={styles['fields']}>
          {found.circulation.map(({ code, count, is_lent }) => (
            <Select
              key={code}
              label={`$o «\u00a0${code}\u00a0»`}
              description={inWords(counted(count, 'exemplaire', 'exemplaires'))}
              allowDeselect={false}
              disabled={isPending}
              data={['Disponible', 'Non Disponible']}
              value={
                (lent[code] ?? (frame === found.frame ? is_lent : isLentAs(code, frame)))
                  ? 'Disponible'
                  : 'Non Disponible'
              }
              onChange={(value) => send({ choices: { lent: { ...lent, [code]: value === 'Disponible' } } })}
            />
          ))}
        </div>
      </Stack>
    </section>
  )
}
