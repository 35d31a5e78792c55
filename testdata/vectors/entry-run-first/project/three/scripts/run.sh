#!/bin/sh
echo run.sh >> order
