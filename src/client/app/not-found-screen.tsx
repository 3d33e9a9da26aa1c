import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'

import { Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'

/** An address that leads nowhere. */
export default function NotFoundScreen() {
  return (
    <Page title="Page introuvable">
      <EmptyState
        message="Cette adresse ne mène à aucun écran. Elle est peut-être mal recopiée, ou d’une version plus récente."
        action={
          <Button component={Link} to="/home" variant="default">
            Revenir à l’accueil
          </Button>
        }
      />
    </Page>
  )
}
