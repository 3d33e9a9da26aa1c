import { Anchor, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'

import { tryMail } from '../../contract/mail-transport.ts'
import { CallError } from '../api/call-error.ts'
import { useChange } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { StatusTag, type Tone } from '../ui/status-tag.tsx'

type Said = { tone: Tone; words: string; message: string }

const words = {
  sent: { tone: 'good', words: 'Parti' },
  written: { tone: 'warn', words: 'Écrit dans un fichier' },
  failed: { tone: 'bad', words: 'Non parti' },
} as const

/** Sends a mail to oneself, and tells what the mail server answered. */
export function MailTrial() {
  const trial = useChange(tryMail)
  const email = useSession()?.user?.email ?? null
  const [said, setSaid] = useState<Said | null>(null)
  const send = async () => {
    setSaid(null)
    try {
      const { outcome, message } = await trial.mutateAsync({})
      setSaid({ ...words[outcome], message })
    } catch (error) {
      setSaid({ ...words.failed, message: error instanceof CallError ? error.message : '' })
    }
  }
  return (
    <>
      <div>
        <Button
          variant="default"
          loading={trial.isPending}
          disabled={email === null}
          onClick={() => void send()}
        >
          Courriel d’essai
        </Button>
      </div>
      <div role="status">
        {said ? (
          <>
            <StatusTag tone={said.tone}>{said.words}</StatusTag> <Text span>{said.message}</Text>
          </>
        ) : (
          <Text c="dimmed">
            {email === null ? (
              <>
                Donnez d’abord une adresse à votre compte, dans{' '}
                <Anchor component={Link} to="/users" inherit underline="always">
                  Utilisateurs
                </Anchor>
                {'\u202f'}: l’essai lui est écrit.
              </>
            ) : (
              `Écrit à ${email}, et dit ce que le serveur de messagerie en a répondu.`
            )}
          </Text>
        )}
      </div>
    </>
  )
}
