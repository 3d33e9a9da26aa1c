import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

import styles from './facts.module.css'
import { inWords } from '../page/house-words.ts'

/** Several groups of facts, side by side where there is room. */
export const FactsOf = ({ children }: { children: ReactNode }) => (
  <div className={styles['facts']}>{children}</div>
)

type FactsProps = { title: string; facts: [name: string, value: ReactNode][]; otherwise?: string }

/** Facts under a title; those that are not known are left out. */
export function Facts({ title, facts, otherwise }: FactsProps) {
  const told = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <section className="panel">
      <Title order={2} size="h4">
        {inWords(title)}
      </Title>
      <dl className={styles['list']}>
        {told.map(([name, value]) => (
          // A term and its description are neighbours in the grid.
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
      {told.length === 0 ? inWords(otherwise ?? '') : null}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{inWords(name)}</dt>
      <dd>{children}</dd>
    </>
  )
}
