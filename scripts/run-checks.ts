import { allChecks, runChecks } from './checks.ts'

process.exitCode = runChecks(allChecks) ? 0 : 1
