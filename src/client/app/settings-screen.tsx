import { Anchor, Stack, Title } from '@mantine/core'
import { Link } from 'react-router-dom'

import { useInWords } from '../page/house-words.ts'
import { Page } from '../ui/page.tsx'
import styles from './settings-screen.module.css'
import { useSettingsSearch } from './settings-search.tsx'

/** What may be settled here, by section; only what the person's profile opens. */
export default function SettingsScreen() {
  const [sections, search] = useSettingsSearch()
  const inWords = useInWords()
  return (
    <Page title="Réglages">
      {search}
      <div className={styles['sections']}>
        {sections.map(({ title, entries }) => (
          <section key={title} className="panel" aria-label={inWords(title)}>
            <Title order={2} size="h4" mb="xs">
              {inWords(title)}
            </Title>
            <Stack gap={0}>
              {entries.map(({ to, label }) => (
                <Anchor key={to} component={Link} to={to} className={styles['entry'] ?? ''}>
                  {inWords(label)}
                </Anchor>
              ))}
            </Stack>
          </section>
        ))}
      </div>
    </Page>
  )
}
