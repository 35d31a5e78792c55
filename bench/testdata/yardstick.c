/* The part of the yardstick that no runner can avoid, and the measuring of
   memory from a process that is small itself.

   yardstick work DIR       list DIR, open, read and close each HOOK.md, and
                            run each scripts/run.sh below match-*, one after
                            another; prints the nanoseconds that took
   yardstick usage COMMAND… run COMMAND; prints its peak memory in KiB and
                            its page faults */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int run(const char *path, char **argv, struct rusage *usage) {
	int status = -1;
	pid_t pid = vfork();
	if (pid == 0) {
		execve(path, argv, environ);
		_exit(127);
	}
	wait4(pid, &status, 0, usage);
	return status;
}

static int work(const char *path) {
	struct timespec begin, end;
	static char buffer[4096];
	char name[4096];
	struct dirent *entry;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	DIR *dir = opendir(path);
	if (dir == NULL) return 1;
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.') continue;
		snprintf(name, sizeof name, "%s/%s/HOOK.md", path, entry->d_name);
		int fd = open(name, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || read(fd, buffer, sizeof buffer) <= 0) return 1;
		close(fd);
		if (strncmp(entry->d_name, "match-", 6) != 0) continue;
		snprintf(name, sizeof name, "%s/%s/scripts/run.sh", path, entry->d_name);
		char *argv[] = {name, NULL};
		if (run(name, argv, NULL) != 0) return 1;
	}
	closedir(dir);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%lld\n", (end.tv_sec - begin.tv_sec) * 1000000000LL + (end.tv_nsec - begin.tv_nsec));
	return 0;
}

static int usage(char **argv) {
	struct rusage u;
	int out = dup(1), null = open("/dev/null", O_WRONLY);
	dup2(null, 1);
	if (run(argv[0], argv, &u) != 0) return 1;
	dprintf(out, "%ld %ld\n", u.ru_maxrss, u.ru_minflt + u.ru_majflt);
	return 0;
}

int main(int argc, char **argv) {
	if (argc == 3 && strcmp(argv[1], "work") == 0) return work(argv[2]);
	if (argc > 2 && strcmp(argv[1], "usage") == 0) return usage(argv + 2);
	return 2;
}
