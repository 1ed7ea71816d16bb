// Stands before the C library for the files of a database, whose path contains DISK_FILES:
// - The call number DISK_FAILS_AT that writes, cuts or syncs fails once, with EIO. Then the file DISK_FAILED exists.
// - After each sync, the folder DISK_SYNCED contains the file as it was synced: all that a power cut leaves.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long calls;

static int is_ours(int file, char *path, size_t size) {
  const char *part = getenv("DISK_FILES");
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, size - 1);
  if (!part || length < 0) return 0;
  path[length] = 0;
  // The index of the log is shared memory, which no disk keeps.
  return strstr(path, part) && !strstr(path, "-shm");
}

static int fails(int file) {
  int before = errno;
  char path[4096];
  const char *at = getenv("DISK_FAILS_AT"), *mark = getenv("DISK_FAILED");
  int is_failing = at && is_ours(file, path, sizeof path) && atomic_fetch_add(&calls, 1) + 1 == atol(at);
  errno = is_failing ? EIO : before;
  if (!is_failing) return 0;
  int made = mark ? open(mark, O_WRONLY | O_CREAT, 0600) : -1;
  if (made >= 0) close(made);
  errno = EIO;
  return 1;
}

static void copy_synced(int file) {
  char path[4096], copy[8192], draft[8192 + 8], bytes[65536];
  const char *folder = getenv("DISK_SYNCED");
  if (!folder || !is_ours(file, path, sizeof path)) return;
  snprintf(copy, sizeof copy, "%s/%s", folder, strrchr(path, '/') + 1);
  snprintf(draft, sizeof draft, "%s.draft", copy);
  int from = open(path, O_RDONLY), to = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (long got; from >= 0 && to >= 0 && (got = read(from, bytes, sizeof bytes)) > 0;) syscall(SYS_write, to, bytes, got);
  if (from >= 0) close(from);
  if (to >= 0) close(to);
  rename(draft, copy);
}

static int sync_file(long number, int file) {
  if (fails(file)) return -1;
  int result = (int)syscall(number, file);
  if (result == 0) copy_synced(file);
  return result;
}

int fsync(int file) { return sync_file(SYS_fsync, file); }
int fdatasync(int file) { return sync_file(SYS_fdatasync, file); }
ssize_t write(int file, const void *bytes, size_t count) { return fails(file) ? -1 : syscall(SYS_write, file, bytes, count); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return fails(file) ? -1 : syscall(SYS_pwrite64, file, bytes, count, at); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at) { return pwrite(file, bytes, count, at); }
int ftruncate(int file, off_t size) { return fails(file) ? -1 : (int)syscall(SYS_ftruncate, file, size); }
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
