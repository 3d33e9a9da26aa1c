import { Stack, Text, TextInput } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { useState } from 'react'

import { useScans } from '../scanner/scan-source.tsx'
import { setPreference, usePreferences } from '../page/preferences.ts'
import styles from './account-screen.module.css'

export function ScannerPrefixField() {
  const { scanner_prefix } = usePreferences()
  return (
    <Stack gap="sm">
      <TextInput
        label="Préfixe du lecteur"
        description="Signe que votre lecteur de codes-barres tape avant chaque code, s’il est réglé ainsi : Comptoir le reconnaît alors à coup sûr. Vide, il le reconnaît à sa vitesse."
        maw="24rem"
        maxLength={10}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={scanner_prefix}
        onChange={(event) => setPreference('scanner_prefix', event.currentTarget.value)}
      />
      <ScanTest />
    </Stack>
  )
}

function ScanTest() {
  const [read, setRead] = useState<{ text: string; count: number } | null>(null)
  useScans((text) => setRead((before) => ({ text, count: (before?.count ?? 0) + 1 })))
  return (
    <div className={styles['test']} role="status" aria-label="Essai du lecteur">
      <IconBarcode size="1.6rem" aria-hidden />
      {read ? (
        <div>
          <Text size="sm" c="dimmed">
            Lecture n° {read.count}, sans son préfixe
          </Text>
          <span className={styles['read']}>{read.text}</span>
        </div>
      ) : (
        <Text c="dimmed">Pour l’essayer, lisez un code avec votre lecteur : il s’affichera ici.</Text>
      )}
    </div>
  )
}
