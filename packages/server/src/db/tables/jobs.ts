/** Which server runs a job, and until when none needs to. Kept where several servers share a database. */
export interface JobLeasesTable {
  name: string
  holder: string
  leaseUntil: number
  restUntil: number
}
