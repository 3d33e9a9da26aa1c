import {
  IconArrowsExchange,
  IconBook2,
  IconBooks,
  IconClockHour4,
  IconReportAnalytics,
  IconUsers,
} from '@tabler/icons-react'
import { Link } from 'react-router-dom'

import { statRights } from '../../domain/stat-rights.ts'
import { useRights } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'
import { MonthScreen } from './month-screen.tsx'
import { StatPanel } from './stat-panel.tsx'
import styles from './stats.module.css'

const title = 'Statistiques'

/** The figures of this month, and the reports that a person's profile opens. */
export default function StatMenuScreen() {
  const held = useRights()
  const open = places.filter(({ name }) => statRights[name].some((right) => held.includes(right)))
  if (open.length === 0)
    return (
      <Page title={title}>
        <EmptyState message="Votre profil n’ouvre aucune de ces statistiques." />
      </Page>
    )
  const reports = (
    <StatPanel title="Rapports">
      <ul>
        {open.map(({ name, label, about, Icon }) => (
          <li key={name}>
            <Link to={`/statistics/${name}`} className={styles['place']}>
              <Icon size="2rem" stroke={1.5} aria-hidden />
              <strong>{inWords(label)}</strong>
              <span>{inWords(about)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </StatPanel>
  )
  // Of a catalogue nothing is told by the month.
  if (open.every(({ name }) => name === 'references' || name === 'yearly'))
    return <Page title={title}>{reports}</Page>
  return <MonthScreen title={title} beside={reports} />
}

const places = [
  {
    name: 'activity',
    label: 'Activité',
    about: 'Les sorties et les retours de chaque jour',
    Icon: IconArrowsExchange,
  },
  {
    name: 'references',
    label: 'Références',
    about: 'Le catalogue par catégorie et par support, les titres les plus prêtés',
    Icon: IconBook2,
  },
  {
    name: 'beneficiaries',
    label: 'Lecteurs',
    about: 'Combien empruntent, d’où, depuis quand',
    Icon: IconUsers,
  },
  {
    name: 'loanings',
    label: 'Prêts',
    about: 'Par mois, support, catégorie et site, les retards et les montants',
    Icon: IconBooks,
  },
  {
    name: 'active',
    label: 'En ce moment',
    about: 'Ce qui est dehors, et depuis combien de jours en retard',
    Icon: IconClockHour4,
  },
  {
    name: 'yearly',
    label: 'Rapport annuel',
    about: 'Collections, emprunteurs, prêts et ouverture de l’année, à vérifier et à imprimer',
    Icon: IconReportAnalytics,
  },
] as const
