import { reasons } from '../../contract/reasons.ts'
import { nounOf } from '../ui/nouns.ts'
import { ResourceScreen } from '../ui/lists/resource-screen.tsx'

const { purpose } = reasons.description

export const DelayReasonScreen = () => (
  <ResourceScreen
    of={reasons}
    part={{
      fixed: { type: 'delay' },
      noun: nounOf('motif de retard', 'm', 'motifs de retard'),
      changedBy: 'PARAMETER_DELAY',
      title: 'Motifs de retard',
      purpose: `Proposés à qui commente un retard. ${purpose}`,
      example: 'Vacances',
    }}
  />
)

export const FreeReasonScreen = () => (
  <ResourceScreen
    of={reasons}
    part={{
      fixed: { type: 'free' },
      noun: nounOf('motif de gratuité', 'm', 'motifs de gratuité'),
      changedBy: 'PARAMETER_FREE',
      title: 'Motifs de gratuité',
      purpose: `Dès que l’un d’eux est activé, un prêt gratuit demande le sien. ${purpose}`,
      example: 'Animation scolaire',
    }}
  />
)
