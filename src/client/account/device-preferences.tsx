import {
  Button,
  Group,
  Input,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import '@mantine/core/styles/Switch.css'
import { IconBarcode, IconVolume } from '@tabler/icons-react'
import { useState } from 'react'

import { setPreference, usePreferences } from '../page/preferences.ts'
import { signalScan, unlockSound } from '../scanner/scan-feedback.ts'
import { useScans } from '../scanner/scan-source.tsx'
import styles from './account-screen.module.css'

function ScannerPrefixField() {
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

const themes = [
  { value: 'light', label: 'Clair' },
  { value: 'dark', label: 'Sombre' },
  { value: 'auto', label: 'Appareil' },
] as const

export function DevicePreferences() {
  const { sound, lone_keys } = usePreferences()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Stack gap="lg">
      <Input.Wrapper
        label="Thème"
        description="Clair, sombre, ou celui de l’appareil."
        labelElement="div"
        size="md"
      >
        <SegmentedControl
          aria-label="Thème"
          size="md"
          mt={4}
          fullWidth
          classNames={{ label: styles['theme'] ?? '' }}
          data={[...themes]}
          value={colorScheme}
          onChange={(theme) => setColorScheme(theme)}
        />
      </Input.Wrapper>
      <Group justify="space-between" gap="sm">
        <Switch
          label="Sons du scanner"
          description="Un son pour chaque lecture : réussie, à vérifier, refusée."
          checked={sound}
          onChange={(event) => setPreference('sound', event.currentTarget.checked)}
        />
        <Button
          variant="default"
          leftSection={<IconVolume size="1.2em" aria-hidden />}
          disabled={!sound}
          // Sound takes a moment to start, so it begins when the finger comes down.
          onPointerDown={unlockSound}
          onKeyDown={unlockSound}
          onClick={() => signalScan('success', { sound: true })}
        >
          Essayer
        </Button>
      </Group>
      <Switch
        label="Raccourcis d’une seule touche"
        description="P pour prêter, R pour rendre… À couper si des lettres partent sans être voulues, en dictant par exemple."
        checked={lone_keys}
        onChange={(event) => setPreference('lone_keys', event.currentTarget.checked)}
      />
      <ScannerPrefixField />
    </Stack>
  )
}
