import { Button, CloseButton, Group, Text } from '@mantine/core'
import { IconDeviceTablet } from '@tabler/icons-react'

import { setPreference, usePreferences } from '../page/preferences.ts'
import { install, type Installation, useInstallation } from './installation.ts'

const byHand = 'Dans Safari, touchez le bouton Partager, puis «\u00a0Sur l’écran d’accueil\u00a0».'

export function InstallPanel() {
  const installation = useInstallation()
  const words: Record<Installation, string> = {
    installed: 'Comptoir est installé sur cet appareil.',
    ready: 'Installé, Comptoir s’ouvre d’un geste, en plein écran, même sans réseau.',
    'by-hand': `Pour l’installer\u202f: ${byHand.charAt(0).toLowerCase()}${byHand.slice(1)}`,
    none: 'Ce navigateur ne propose pas l’installation maintenant. Comptoir marche aussi dans un onglet.',
  }
  return (
    <Group justify="space-between" gap="sm">
      <Text flex="1 1 16rem">{words[installation]}</Text>
      {installation === 'ready' ? (
        <Button
          variant="default"
          leftSection={<IconDeviceTablet size="1.2em" aria-hidden />}
          onClick={() => void install()}
        >
          Installer
        </Button>
      ) : null}
    </Group>
  )
}

export function InstallHint() {
  const installation = useInstallation()
  const { install_hint } = usePreferences()
  if (!install_hint || (installation !== 'ready' && installation !== 'by-hand')) return null
  return (
    <Group className="panel" component="aside" aria-label="Installation" gap="sm" py="xs" wrap="nowrap">
      <IconDeviceTablet size="1.4rem" aria-hidden />
      <Text flex="1" size="sm">
        {installation === 'ready'
          ? 'Installez Comptoir pour l’ouvrir d’un geste.'
          : `Installez Comptoir. ${byHand}`}
      </Text>
      {installation === 'ready' ? (
        <Button variant="default" onClick={() => void install()}>
          Installer
        </Button>
      ) : null}
      <CloseButton
        aria-label="Ne plus proposer l’installation"
        onClick={() => setPreference('install_hint', false)}
      />
    </Group>
  )
}
