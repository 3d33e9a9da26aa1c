import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'

import { Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'

/** An address that the person's profile does not open. */
export default function NoRightScreen() {
  return (
    <Page title="Accès réservé">
      <EmptyState
        message="Votre profil n’ouvre pas cet écran. La personne qui gère les droits de votre bibliothèque peut vous le donner."
        action={
          <Button component={Link} to="/home" variant="default">
            Revenir à l’accueil
          </Button>
        }
      />
    </Page>
  )
}
