import { exportOf } from './files.ts'
import { listSales } from './sales.ts'

// Apart from the calls, which a counter loads and this it does not.

export const exportSales = exportOf('sales', listSales, ['xlsx', 'csv'], 'Les ventes, dans un fichier')
