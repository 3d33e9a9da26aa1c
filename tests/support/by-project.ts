import { readFileSync, statSync } from 'node:fs'

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * One project after the other, and within it one environment after the other, because a worker that changes either begins anew and loads
 * everything again; then the largest files first, so that none is alone at the end.
 */
export class ByProject extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = [...new Set(this.ctx.projects.map(({ name }) => name))]
    const rank = new Map(
      files.map((file) => {
        const place = projects.indexOf(file.project.name) + (hasOwnEnvironment(file) ? 0.5 : 0)
        return [file, [place, -this.#took(file)] as const]
      }),
    )
    const by = (file: TestSpecification) => rank.get(file) ?? [0, 0]
    return Promise.resolve(
      files.toSorted((one, other) => by(one)[0] - by(other)[0] || by(one)[1] - by(other)[1]),
    )
  }

  /** What it took last time on this machine, or else its size. */
  #took({ moduleId, project }: TestSpecification): number {
    const key = `${project.name}:${moduleId.slice(this.ctx.config.root.length)}`
    return (this.ctx.cache.getFileTestResults(key)?.duration ?? 0) + statSync(moduleId).size / 1e6
  }
}

const hasOwnEnvironment = ({ moduleId }: TestSpecification): boolean =>
  readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment happy-dom')
