import { exportOf } from './files.ts'
import { listLoans } from './loans.ts'

// Apart from the lists, which a counter loads and this it does not.

export const exportLoans = exportOf(
  'loanings',
  listLoans,
  ['xlsx', 'csv', 'pdf'],
  'Les prêts, dans un fichier',
)
