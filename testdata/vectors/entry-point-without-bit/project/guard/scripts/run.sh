#!/bin/sh
echo run.sh >> order
exit 2
