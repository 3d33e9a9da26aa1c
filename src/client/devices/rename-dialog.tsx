import { Text, TextInput } from '@mantine/core'

import { type Device, renameDevice } from '../../contract/devices.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { say } from '../page/messages.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { deviceName } from './device-words.ts'

const longestName = 60

/** Rendered while open. */
export default function RenameDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const form = useForm(renameDevice, {
    initial: { name: device.name },
    params: { device_id: device.device_id },
    onSaved: (renamed) => {
      say(`L’appareil s’appelle «\u00a0${deviceName(renamed)}\u00a0».`)
      onClose()
    },
  })
  return (
    <FormDialog title="Nommer l’appareil" form={form} onClose={onClose}>
      <Text c="dimmed">
        {[`Appareil ${device.device_id.slice(0, 8)}`, device.browser, device.username]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      <TextInput placeholder="Tablette de l’accueil" maxLength={longestName} {...form.text('name', 'Nom')} />
    </FormDialog>
  )
}
