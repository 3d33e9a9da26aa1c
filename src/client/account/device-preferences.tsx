import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import '@mantine/core/styles/Switch.css'

import { Button, Group, Input, SegmentedControl, Stack, Switch, useMantineColorScheme } from '@mantine/core'
import { IconVolume } from '@tabler/icons-react'

import { signalScan, unlockSound } from '../scanner/scan-feedback.ts'
import { setPreference, usePreferences } from '../page/preferences.ts'
import styles from './account-screen.module.css'
import { ScannerPrefixField } from './scanner-prefix-field.tsx'

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
