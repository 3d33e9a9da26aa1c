import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'

import type { Device } from '../../contract/devices.ts'
import { CallError } from '../api/call-error.ts'
import { say } from '../ui/messages.ts'
import { useReturnFocus } from '../ui/use-return-focus.ts'
import { useRenameDevice } from './device-data.ts'
import { deviceName } from './device-words.ts'

const longestName = 60

/** Names a device as people at the counter call it. Rendered while open. */
export default function RenameDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  useReturnFocus()
  const { mutate, isPending, error } = useRenameDevice()
  const [name, setName] = useState(device.name)
  const save = () =>
    mutate(
      { device_id: device.device_id, name: name.trim() },
      {
        onSuccess: (renamed) => {
          say(`L’appareil s’appelle «\u00a0${deviceName(renamed)}\u00a0».`)
          onClose()
        },
      },
    )
  return (
    <Modal opened onClose={onClose} title="Nommer l’appareil">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending) save()
        }}
      >
        <Stack>
          <Text c="dimmed">
            {[`Appareil ${device.device_id.slice(0, 8)}`, device.browser, device.username]
              .filter(Boolean)
              .join(' · ')}
          </Text>
          <TextInput
            label="Nom"
            placeholder="Tablette de l’accueil"
            value={name}
            maxLength={longestName}
            onChange={(event) => setName(event.currentTarget.value)}
            error={
              error ? (error instanceof CallError ? error.message : 'Le nom n’a pas été enregistré.') : null
            }
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Annuler
            </Button>
            <Button type="submit" loading={isPending}>
              Valider
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
