import { Anchor, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useId } from 'react'
import { Link } from 'react-router-dom'

import { useSession } from '../api/session.ts'
import { useEnvironment } from '../session/environment-data.ts'
import { appVersion, appVersionDay } from '../../domain/app-version.ts'
import { counts, numberOf, outcomes, stateOf, themes } from './criteria.ts'
import styles from './statement.module.css'

const title = 'Déclaration d’accessibilité'
const releasedOn = appVersionDay && ` du ${appVersionDay}`

/** What the law asks of a public service (article 47), for whoever comes, signed in or not. */
export default function StatementScreen() {
  const { data: environment } = useEnvironment()
  const isSignedIn = useSession() !== null
  const library = environment?.name ?? 'La bibliothèque'
  const state = stateOf(counts)
  useEffect(() => {
    document.title = `${title} · Comptoir`
  }, [])
  return (
    <div className={styles['frame']}>
      <header className={styles['bar']}>
        <nav aria-label="Retour">
          <Anchor component={Link} to={isSignedIn ? '/account' : '/login'} className={styles['back'] ?? ''}>
            {isSignedIn ? 'Revenir à Mon compte' : 'Revenir à la connexion'}
          </Anchor>
        </nav>
      </header>
      <main className={styles['content']}>
        <Title order={1} size="1.5rem" lh={1.25}>
          {title}
        </Title>
        <div className={styles['text']}>
          <Text>
            {library} s’engage à rendre ses services en ligne accessibles, comme le demande l’article 47 de la
            loi n°&nbsp;2005-102 du 11 février 2005. Cette déclaration s’applique à Comptoir, version{' '}
            {appVersion}, à cette adresse.
          </Text>
        </div>
        <Part title="État de conformité">
          <Text>
            Comptoir est <strong>{state}</strong> avec le référentiel général d’amélioration de
            l’accessibilité (RGAA), version 4.1.
          </Text>
          <Text>
            Aucun audit n’en a été fait par un expert ni par des personnes handicapées. Ceux qui le font l’ont
            vérifié avec des outils et au clavier, sans lecteur d’écran&#8239;: tant que des critères restent
            à vérifier par une personne, rien de plus ne peut être déclaré.
          </Text>
        </Part>
        <Part title="Résultats des tests">
          <Text>Des {themes.flatMap(({ criteria }) => criteria).length} critères du RGAA&#8239;:</Text>
          <ul className={`marked ${styles['list']}`}>
            {outcomes.map((outcome) => (
              <li key={outcome}>
                <strong>{counts[outcome]}</strong> {words[outcome][counts[outcome] < 2 ? 0 : 1]}
              </li>
            ))}
          </ul>
          <Text>
            Un critère dont une part demande un jugement reste à vérifier, même quand un outil n’y a rien
            trouvé. Le détail est <a href="#criteres">critère par critère</a>, plus bas.
          </Text>
        </Part>
        <Part title="Contenus non accessibles">
          <Title order={3} size="h5">
            Non-conformités
          </Title>
          <ul className={`marked ${styles['list']}`}>
            {rows
              .filter(({ outcome }) => outcome === 'non conforme')
              .map(({ number, note }) => (
                <li key={number}>
                  Critère {number}&#8239;: {note}
                </li>
              ))}
          </ul>
          <Title order={3} size="h5">
            Dérogations pour charge disproportionnée
          </Title>
          <Text>Aucune.</Text>
          <Title order={3} size="h5">
            Contenus non soumis à l’obligation
          </Title>
          <Text>
            Les images de couverture et l’image de l’organisation, que d’autres fournissent&#8239;; ce que la
            bibliothèque écrit elle-même dans ses notices, ses courriels et ses lettres est de son ressort.
          </Text>
        </Part>
        <Part title="Établissement de cette déclaration">
          <Text>
            Elle a été établie avec la version {appVersion}
            {releasedOn}. Ce que des essais automatiques tiennent est vérifié de nouveau à chaque version.
          </Text>
          <Facts
            facts={{
              Technologies: 'HTML, CSS, JavaScript, WAI-ARIA, SVG.',
              'Environnement de test':
                'Chromium sous Linux, aux tailles d’un téléphone, d’une tablette et d’un ordinateur, clair, sombre et en couleurs forcées\u202f; clavier. Aucun lecteur d’écran.',
              Outils:
                'axe-core, et nos propres vérifications\u202f: titres, zones, tableaux, focus, espacement du texte, largeur de 320 pixels, bords des champs.',
              'Pages vérifiées':
                'Tous les écrans de l’application, ceux de la connexion, cette page, et les fenêtres les plus employées.',
            }}
          />
        </Part>
        <Part title="Retour d’information et contact">
          <Text>
            Si vous n’arrivez pas à accéder à un contenu ou à un service, écrivez ou parlez à la personne qui
            s’occupe de Comptoir pour {environment?.name ?? 'votre bibliothèque'}, pour être orienté vers une
            autre façon de faire, ou obtenir le contenu sous une autre forme.
          </Text>
        </Part>
        <Part title="Voies de recours">
          <Text>
            Vous avez signalé un défaut d’accessibilité qui vous empêche d’accéder à un contenu ou à un
            service, et vous n’avez pas obtenu de réponse satisfaisante&#8239;: vous pouvez
          </Text>
          <ul className={`marked ${styles['list']}`}>
            <li>
              écrire un message au{' '}
              <a href="https://formulaire.defenseurdesdroits.fr/">Défenseur des droits</a>&#8239;;
            </li>
            <li>
              contacter{' '}
              <a href="https://www.defenseurdesdroits.fr/saisir/delegues">
                le délégué du Défenseur des droits de votre région
              </a>
              &#8239;;
            </li>
            <li>
              envoyer un courrier par la poste, gratuit et sans timbre&#8239;: Défenseur des droits, Libre
              réponse 71120, 75342 Paris CEDEX 07.
            </li>
          </ul>
        </Part>
        <section aria-labelledby="criteres" className={styles['part']}>
          <Title order={2} size="h4" id="criteres">
            Critère par critère
          </Title>
          {themes.map((theme, at) => (
            <ThemeTable key={theme.name} at={at} />
          ))}
        </section>
      </main>
    </div>
  )
}

/** Of up to one criterion, and of several. */
const words = {
  conforme: ['conforme', 'conformes'],
  'non conforme': ['non conforme', 'non conformes'],
  'non applicable': ['non applicable', 'non applicables'],
  'à vérifier': ['à vérifier par une personne', 'à vérifier par une personne'],
} as const

const rows = themes.flatMap(({ criteria }, theme) =>
  criteria.map((criterion, at) => ({ ...criterion, number: numberOf(theme, at) })),
)

function Part({ title: words, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`${styles['part']} ${styles['text']}`}>
      <Title order={2} size="h4" id={id}>
        {words}
      </Title>
      {children}
    </section>
  )
}

const Facts = ({ facts }: { facts: Record<string, string> }) => (
  <dl className={styles['facts']}>
    {Object.entries(facts).map(([name, said]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{said}</dd>
      </div>
    ))}
  </dl>
)

/** The table's caption is a heading, so that readers get from theme to theme. */
function ThemeTable({ at }: { at: number }) {
  const id = useId()
  const { name, criteria } = themes[at]!
  return (
    <>
      <Title order={3} size="h5" id={id} mt="md">
        {at + 1}. {name}
      </Title>
      <table className={styles['table']} aria-labelledby={id}>
        <thead>
          <tr>
            {['Critère', 'Ce qu’il demande', 'Résultat', 'Ce qui le montre, ou ce qui reste'].map((words) => (
              <th key={words} scope="col">
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {criteria.map(({ asks, outcome, note }, rank) => (
            <tr key={asks}>
              <th scope="row">{numberOf(at, rank)}</th>
              <td>{asks}</td>
              <td className={styles['outcome']}>{outcome}</td>
              <td>{note}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
