/* Yardstick does the work that no runner can avoid, and measures other programs:
   it is small itself and starts them with vfork.

   yardstick work DIR           list DIR, open, read and close each HOOK.md,
                                and run each scripts/run.sh below match-*, one
                                after another; prints the time in nanoseconds
   yardstick scripts DIR        the same without the reading
   yardstick time N FILE PROGRAM ARGUMENT…
                                run N of a command together, with FILE as stdin;
                                prints the nanoseconds until the last one ended
   yardstick usage FILE PROGRAM ARGUMENT…
                                run a command; prints its peak memory in KiB,
                                its page faults and its microseconds on a
                                processor, and on Linux the sums of the same
                                for the processes that it left running
   yardstick drop FILE          drop FILE from the page cache */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

extern char **environ;

static long long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static pid_t start(char **argv, int in) {
	pid_t pid = vfork();
	if (pid == 0) {
		if (in >= 0) dup2(in, 0);
		execve(argv[0], argv, environ);
		_exit(127);
	}
	return pid;
}

static int run(char **argv) {
	int status = -1;
	waitpid(start(argv, -1), &status, 0);
	return status;
}

/* warm calls the measured functions once, which maps their pages. */
static void warm(void) {
	char *argv[] = {"/nonexistent", NULL};
	now();
	run(argv);
}

static int work(const char *path, int reads) {
	static char buffer[4096];
	char name[4096];
	struct dirent *entry;
	warm();
	long long begin = now();
	DIR *dir = opendir(path);
	if (dir == NULL) return 1;
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.') continue;
		if (reads) {
			snprintf(name, sizeof name, "%s/%s/HOOK.md", path, entry->d_name);
			int fd = open(name, O_RDONLY | O_CLOEXEC);
			if (fd < 0 || read(fd, buffer, sizeof buffer) <= 0) return 1;
			close(fd);
		}
		if (strncmp(entry->d_name, "match-", 6) != 0) continue;
		snprintf(name, sizeof name, "%s/%s/scripts/run.sh", path, entry->d_name);
		char *argv[] = {name, NULL};
		if (run(argv) != 0) return 1;
	}
	closedir(dir);
	printf("%lld\n", now() - begin);
	return 0;
}

/* silence redirects stdout and stderr to /dev/null and returns the original stdout. */
static int silence(void) {
	int out = fcntl(1, F_DUPFD_CLOEXEC, 3), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	dup2(null, 1);
	dup2(null, 2);
	return out;
}

static int timed(int count, const char *input, char **argv) {
	int in[64], status, failed = 0, out = silence();
	if (count < 1 || count > 64) return 2;
	for (int i = 0; i < count; i++) in[i] = open(input, O_RDONLY | O_CLOEXEC);
	warm();
	long long begin = now();
	for (int i = 0; i < count; i++) failed |= start(argv, in[i]) < 0;
	for (int i = 0; i < count; i++) failed |= wait(&status) < 0 || status != 0;
	long long took = now() - begin;
	dprintf(out, "%lld\n", took);
	return failed;
}

static long long microseconds(struct timeval t) { return t.tv_sec * 1000000LL + t.tv_usec; }

static int usage(const char *input, char **argv) {
	struct rusage u, left = {0};
	int status = -1, out = silence();
#ifdef __linux__
	prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
	pid_t pid = start(argv, open(input, O_RDONLY | O_CLOEXEC));
	if (wait4(pid, &status, 0, &u) != pid || status != 0) return 1;
	long faults = 0, memory = 0;
	long long busy = 0;
	while (wait4(-1, &status, 0, &left) > 0) {
		if (left.ru_maxrss > memory) memory = left.ru_maxrss;
		faults += left.ru_minflt + left.ru_majflt;
		busy += microseconds(left.ru_utime) + microseconds(left.ru_stime);
	}
	dprintf(out, "%ld %ld %lld %ld %ld %lld\n", u.ru_maxrss, u.ru_minflt + u.ru_majflt,
		microseconds(u.ru_utime) + microseconds(u.ru_stime), memory, faults, busy);
	return 0;
}

static int drop(const char *path) {
#ifdef POSIX_FADV_DONTNEED
	int fd = open(path, O_RDONLY);
	return fsync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0;
#else
	return path != NULL;
#endif
}

int main(int argc, char **argv) {
	const char *what = argc > 2 ? argv[1] : "";
	if (strcmp(what, "work") == 0) return work(argv[2], 1);
	if (strcmp(what, "scripts") == 0) return work(argv[2], 0);
	if (strcmp(what, "drop") == 0) return drop(argv[2]);
	if (strcmp(what, "time") == 0 && argc > 4) return timed(atoi(argv[2]), argv[3], argv + 4);
	if (strcmp(what, "usage") == 0 && argc > 3) return usage(argv[2], argv + 3);
	return 2;
}
