import { settleConflict as settleConflictCall } from '../../contract/conflicts.ts'
import { change } from '../http/binding.ts'
import { settleConflict } from './settle-conflict.ts'

export const conflictRoutes = [change(settleConflictCall, settleConflict)]
