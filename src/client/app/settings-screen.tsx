import { Anchor, Stack, Title } from '@mantine/core'
import { useContext } from 'react'
import { Link } from 'react-router-dom'

import { Page } from '../ui/page.tsx'
import { OpenSettings } from './open-settings.ts'
import styles from './settings-screen.module.css'
import { useInWords } from '../page/house-words.ts'

/** What may be settled here, by section; only what the person's profile opens. */
export default function SettingsScreen() {
  const open = useContext(OpenSettings)
  const inWords = useInWords()
  const sections = [...new Set(open.map((setting) => setting.section))]
  return (
    <Page title="Réglages">
      <div className={styles['sections']}>
        {sections.map((section) => (
          <section key={section} className="panel" aria-labelledby={`reglages-${section}`}>
            <Title order={2} size="h4" id={`reglages-${section}`} mb="xs">
              {inWords(section)}
            </Title>
            <Stack gap={0}>
              {open
                .filter((setting) => setting.section === section)
                .map(({ path, label }) => (
                  <Anchor key={path} component={Link} to={path} className={styles['entry'] ?? ''}>
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
