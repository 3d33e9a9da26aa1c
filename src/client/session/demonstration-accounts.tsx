import { Button, Stack, Text } from '@mantine/core'

import styles from './session-frame.module.css'

type DemonstrationAccountsProps = {
  usernames: string[]
  password: string
  onPick: (username: string, password: string) => void
}

export default function DemonstrationAccounts({ usernames, password, onPick }: DemonstrationAccountsProps) {
  return (
    <div className={styles['demonstration']}>
      <Stack className="panel" component="section" aria-label="Comptes de démonstration" gap="sm">
        <Text size="sm">
          Ceci est une démonstration. Choisissez un compte ; le mot de passe est{' '}
          <span className={styles['password']}>{password}</span>.
        </Text>
        <div className={styles['accounts']}>
          {usernames.map((username) => (
            <Button key={username} variant="default" onClick={() => onPick(username, password)}>
              {username}
            </Button>
          ))}
        </div>
      </Stack>
    </div>
  )
}
