import { Button, Stack, Text, TextInput } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'

import { accountName } from '../../domain/person-names.ts'
import type { User } from '../../contract/users.ts'
import { copyText } from '../ui/copy-text.ts'
import { Dialog, DialogButtons } from '../ui/dialogs/dialog.tsx'

type InvitationLinkDialogProps = { user: User; link: string; onClose: () => void }

/** The link to be handed over by oneself; it is shown once, for the server keeps only its print. */
export default function InvitationLinkDialog({ user, link, onClose }: InvitationLinkDialogProps) {
  return (
    <Dialog isOpen onClose={onClose} title={`Lien d’invitation\u202f: ${accountName(user)}`} isNamed>
      <Stack>
        <Text>
          Remettez-le à cette personne seule{'\u202f'}: il lui fait choisir son mot de passe, une fois,
          pendant sept jours. Les liens d’avant ne servent plus.
        </Text>
        <TextInput label="Lien" value={link} readOnly onFocus={(event) => event.currentTarget.select()} />
        <DialogButtons onCancel={onClose} cancelLabel="Fermer">
          {/* Browsers give no clipboard to pages that come without HTTPS. */}
          {'clipboard' in navigator ? (
            <Button
              leftSection={<IconCopy size="1.2em" aria-hidden />}
              onClick={() => void copyText(link, 'Lien copié.')}
            >
              Copier
            </Button>
          ) : null}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
