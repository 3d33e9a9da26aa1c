import { Button, Group, Stack, Text } from '@mantine/core'
import { IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react'

import { copyText } from '../ui/copy-text.ts'
import { PrintSheet } from '../ui/print-sheet.tsx'
import { printOut } from '../ui/printing.ts'
import { saveFile } from '../ui/save-file.ts'
import styles from './second-factor.module.css'

type RecoveryCodesProps = { codes: readonly string[]; username: string; onKept: () => void }

/** The only time that they are shown. */
export function RecoveryCodes({ codes, username, onKept }: RecoveryCodesProps) {
  const title = `Codes de secours de ${username}`
  const list = (
    <ul className={styles['codes']} aria-label="Codes de secours">
      {codes.map((code) => (
        <li key={code} className={styles['code']}>
          {code}
        </li>
      ))}
    </ul>
  )
  const download = () =>
    saveFile({
      name: 'codes-de-secours-comptoir.txt',
      content: new Blob([`${title}\n\n${codes.join('\n')}\n`], { type: 'text/plain' }),
    })
  const print = () =>
    printOut(
      <PrintSheet paper="upright" title={title}>
        <h1>{title}</h1>
        <p>Chacun remplace une fois le code de l’application, à la connexion.</p>
        {list}
      </PrintSheet>,
    )
  return (
    <Stack>
      <Text>
        Gardez ces codes ailleurs que sur votre téléphone{'\u202f'}: s’il est perdu, chacun remplace une fois
        le code de l’application. <strong>Ils ne seront plus montrés.</strong>
      </Text>
      {list}
      <Group gap="xs">
        {/* Browsers give no clipboard to pages that come without HTTPS. */}
        {'clipboard' in navigator ? (
          <Button
            variant="default"
            leftSection={<IconCopy size="1.2em" aria-hidden />}
            onClick={() => void copyText(codes.join('\n'), 'Codes copiés.')}
          >
            Copier
          </Button>
        ) : null}
        <Button variant="default" leftSection={<IconDownload size="1.2em" aria-hidden />} onClick={download}>
          Télécharger
        </Button>
        <Button variant="default" leftSection={<IconPrinter size="1.2em" aria-hidden />} onClick={print}>
          Imprimer
        </Button>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onKept}>J’ai gardé ces codes</Button>
      </Group>
    </Stack>
  )
}
